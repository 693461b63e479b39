// SPDX-License-Identifier: Apache-2.0
/**
 * The calls of {@code tools/async}: joined tasks, waits with a timeout and rejected calls. The package does not know
 * the wording of its messages, which is in the dialect, nor any other extension.
 */
@NullMarked
package io.longhaul.receiver.ext.toolsasync;

import org.jspecify.annotations.NullMarked;
