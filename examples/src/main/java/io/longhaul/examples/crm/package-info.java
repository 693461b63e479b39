// SPDX-License-Identifier: Apache-2.0
/**
 * Imports a file of contacts into a database, row by row. The package starts no server: {@code ExampleServer} serves
 * its tool.
 */
@NullMarked
package io.longhaul.examples.crm;

import org.jspecify.annotations.NullMarked;
