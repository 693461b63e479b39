// SPDX-License-Identifier: Apache-2.0
/**
 * Long calls in hosts that know no tasks and give a call up after a while: the call is answered before that, and a
 * model goes on with tools. {@code HandOverCalls} chooses, {@code KnownHosts} says how long each host waits; the
 * package knows no dialect by name and no other extension.
 */
@NullMarked
package io.longhaul.receiver.ext.handover;

import org.jspecify.annotations.NullMarked;
