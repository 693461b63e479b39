// SPDX-License-Identifier: Apache-2.0
/**
 * The tasks of a server in one window, live: {@code TopKeys} decides what a key does and {@code TopFrame} what the
 * window shows, both pure; {@code TopLoop} has the state, {@code TopWatch} the threads that talk to the server. What is
 * pure knows neither the server nor the terminal.
 */
@NullMarked
package io.longhaul.cli.top;

import org.jspecify.annotations.NullMarked;
