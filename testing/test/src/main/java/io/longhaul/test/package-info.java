// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of your own tools: {@link io.longhaul.test.LonghaulExtension} serves the tools in memory, to clients of every
 * generation, with a clock that the test moves. The package knows no database, no HTTP, and a generation by its name
 * alone.
 */
@NullMarked
package io.longhaul.test;

import org.jspecify.annotations.NullMarked;
