// SPDX-License-Identifier: Apache-2.0
/** The handshake with a host, which is answered from memory while the server starts. */
@NullMarked
package io.longhaul.cli.handshake;

import org.jspecify.annotations.NullMarked;
