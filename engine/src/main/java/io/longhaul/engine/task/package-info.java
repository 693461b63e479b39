// SPDX-License-Identifier: Apache-2.0
/** The vocabulary of durable tasks: immutable values that every module shares. Nothing here acts. */
@NullMarked
package io.longhaul.engine.task;

import org.jspecify.annotations.NullMarked;
