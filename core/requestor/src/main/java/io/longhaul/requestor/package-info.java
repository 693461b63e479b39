// SPDX-License-Identifier: Apache-2.0
/**
 * What a requestor is given: a transport, a clock, timeouts, and an answerer for the server's questions. The rooms:
 * {@code exchange} sends one request over one connection and reads its response, {@code connect} agrees on a session
 * and renews it, {@code call} makes calls that outlive connections and sessions, {@code follow} follows tasks to their
 * end, {@code plan} decides what a generation means for all of them, {@code question} answers requests of the server,
 * and {@code clienttask} keeps those that are tasks of the client. None of them knows the engine.
 */
@NullMarked
package io.longhaul.requestor;

import org.jspecify.annotations.NullMarked;
