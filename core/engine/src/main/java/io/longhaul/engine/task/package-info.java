// SPDX-License-Identifier: Apache-2.0
/** The data types of durable tasks: immutable values that every module shares. */
@NullMarked
package io.longhaul.engine.task;

import org.jspecify.annotations.NullMarked;
