// SPDX-License-Identifier: Apache-2.0
/**
 * Questions that clients run as tasks of their own: {@code ClientTask} decides which request follows each response,
 * {@code ClientTasks} which request is due. The package knows no stream, and not which task or call needs the answer.
 */
@NullMarked
package io.longhaul.receiver.clienttask;

import org.jspecify.annotations.NullMarked;
