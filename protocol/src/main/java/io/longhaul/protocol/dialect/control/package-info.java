// SPDX-License-Identifier: Apache-2.0
/** Our own extension {@code io.longhaul/tasks}: what operators and pages want of tasks, and no generation has. */
@NullMarked
package io.longhaul.protocol.dialect.control;

import org.jspecify.annotations.NullMarked;
