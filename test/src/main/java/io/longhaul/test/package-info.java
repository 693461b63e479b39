// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of one's own tools: {@link io.longhaul.test.LonghaulExtension} serves them in memory, to clients of every
 * generation, by a clock that the test moves.
 */
@NullMarked
package io.longhaul.test;

import org.jspecify.annotations.NullMarked;
