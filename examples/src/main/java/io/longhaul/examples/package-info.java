// SPDX-License-Identifier: Apache-2.0
/** Programs that run, one for each use case. They use what users have, and no package that is internal. */
@NullMarked
package io.longhaul.examples;

import org.jspecify.annotations.NullMarked;
