// SPDX-License-Identifier: Apache-2.0
/**
 * Messages as lines of a stream of bytes: one reader and one writer for all transports over stdio and sockets. The
 * package knows no connection, and of a message only which requests it answers.
 */
@NullMarked
package io.longhaul.transport.line;

import org.jspecify.annotations.NullMarked;
