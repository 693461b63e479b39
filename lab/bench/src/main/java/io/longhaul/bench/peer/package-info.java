// SPDX-License-Identifier: Apache-2.0
/**
 * Servers on other libraries, which are installed on first use and measured in the same rounds. The package does not
 * know how a round is measured.
 */
@NullMarked
package io.longhaul.bench.peer;

import org.jspecify.annotations.NullMarked;
