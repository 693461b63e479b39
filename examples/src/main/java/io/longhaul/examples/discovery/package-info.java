// SPDX-License-Identifier: Apache-2.0
/**
 * Screens a library of molecules for what resembles a lead. The package starts no server: {@code ExampleServer} serves
 * its tool.
 */
@NullMarked
package io.longhaul.examples.discovery;

import org.jspecify.annotations.NullMarked;
