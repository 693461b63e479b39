// SPDX-License-Identifier: Apache-2.0
/** The session with a server: what it speaks, what was agreed, and how both are renewed. */
@NullMarked
package io.longhaul.requestor.connect;

import org.jspecify.annotations.NullMarked;
