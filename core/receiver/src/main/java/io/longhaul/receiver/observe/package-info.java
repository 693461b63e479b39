// SPDX-License-Identifier: Apache-2.0
/**
 * What a server tells those who observe it: neutral events of every generation, and patterns of many refusals. The
 * package knows no other package of the receiver, and an observer changes nothing.
 */
@NullMarked
package io.longhaul.receiver.observe;

import org.jspecify.annotations.NullMarked;
