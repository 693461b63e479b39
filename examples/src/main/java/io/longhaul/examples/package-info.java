// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that run, one for each use case.
 */
@NullMarked
package io.longhaul.examples;

import org.jspecify.annotations.NullMarked;
