// SPDX-License-Identifier: Apache-2.0
/** Dialects: one package for each published generation of the protocol, and the selector that chooses between them. */
@NullMarked
package io.longhaul.protocol.dialect;

import org.jspecify.annotations.NullMarked;
