// SPDX-License-Identifier: Apache-2.0
/** What a server tells those who observe it: neutral events of every generation. */
@NullMarked
package io.longhaul.receiver.observe;

import org.jspecify.annotations.NullMarked;
