// SPDX-License-Identifier: Apache-2.0
/**
 * The data types of durable tasks: immutable values that every module shares. They know no other package: no store, no
 * backend, no clock, and not how a state was reached.
 */
@NullMarked
package io.longhaul.engine.task;

import org.jspecify.annotations.NullMarked;
