// SPDX-License-Identifier: Apache-2.0
/**
 * The tasks of a server in one window, live: {@code TopLoop} has the state, {@code TopWatch} the threads that talk to
 * the server. What a key does and what the window shows is the matter of {@code view}.
 */
@NullMarked
package io.longhaul.cli.top;

import org.jspecify.annotations.NullMarked;
