// SPDX-License-Identifier: Apache-2.0
/**
 * JSON Schema 2020-12 for the arguments and results of tools, and for answers to questions. No schema is ever fetched.
 */
@NullMarked
package io.longhaul.schema;

import org.jspecify.annotations.NullMarked;
