// SPDX-License-Identifier: Apache-2.0
/**
 * Who waits for the next change of a task, on this node and of tasks at other nodes. The package does not know how a
 * task changes, nor why its watchers wait.
 */
@NullMarked
package io.longhaul.engine.watch;

import org.jspecify.annotations.NullMarked;
