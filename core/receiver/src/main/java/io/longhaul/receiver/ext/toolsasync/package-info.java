// SPDX-License-Identifier: Apache-2.0
/** The calls of {@code tools/async}: joined tasks, waits with a timeout and rejected calls. */
@NullMarked
package io.longhaul.receiver.ext.toolsasync;

import org.jspecify.annotations.NullMarked;
