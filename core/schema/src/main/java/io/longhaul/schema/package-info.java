// SPDX-License-Identifier: Apache-2.0
/**
 * JSON Schema 2020-12 for the arguments and results of tools, and for answers to questions, under one budget of steps.
 * No schema is ever fetched, and the package knows no message and no task.
 */
@NullMarked
package io.longhaul.schema;

import org.jspecify.annotations.NullMarked;
