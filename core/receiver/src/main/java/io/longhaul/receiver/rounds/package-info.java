// SPDX-License-Identifier: Apache-2.0
/**
 * Calls that are answered in rounds: handlers that wait for answers, and the sealed states that clients carry. The
 * package knows no stream, and not what the handler of a call does.
 */
@NullMarked
package io.longhaul.receiver.rounds;

import org.jspecify.annotations.NullMarked;
