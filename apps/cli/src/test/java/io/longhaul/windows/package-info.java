// SPDX-License-Identifier: Apache-2.0
/** Several processes of one host on one data folder, and what a host sees when one of them dies. */
@NullMarked
package io.longhaul.windows;

import org.jspecify.annotations.NullMarked;
