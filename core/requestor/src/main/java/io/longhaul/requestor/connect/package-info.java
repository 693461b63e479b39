// SPDX-License-Identifier: Apache-2.0
/**
 * The session with a server: {@code VersionNegotiation} agrees on what it speaks, {@code CurrentSession} renews it, and
 * {@code Connector} opens the connection again. The package does not know which calls are made in the session.
 */
@NullMarked
package io.longhaul.requestor.connect;

import org.jspecify.annotations.NullMarked;
