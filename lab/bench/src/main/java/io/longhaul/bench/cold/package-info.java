// SPDX-License-Identifier: Apache-2.0
/** Measures servers whose compiler has only begun. The package knows a server by its process alone. */
@NullMarked
package io.longhaul.bench.cold;

import org.jspecify.annotations.NullMarked;
