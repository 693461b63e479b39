// SPDX-License-Identifier: Apache-2.0
/**
 * Migrates the Java sources of many repositories, each in a task of its own. The package starts no server:
 * {@code ExampleServer} serves its tools.
 */
@NullMarked
package io.longhaul.examples.migration;

import org.jspecify.annotations.NullMarked;
