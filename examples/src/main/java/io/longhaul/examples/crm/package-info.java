// SPDX-License-Identifier: Apache-2.0
/**
 * Imports a file of contacts into a database, row by row.
 */
@NullMarked
package io.longhaul.examples.crm;

import org.jspecify.annotations.NullMarked;
