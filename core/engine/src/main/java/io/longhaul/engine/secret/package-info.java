// SPDX-License-Identifier: Apache-2.0
/**
 * Secrets that work needs: how they are read, and how they are masked in what the work writes. The package knows
 * neither tasks nor the kinds of work.
 */
@NullMarked
package io.longhaul.engine.secret;

import org.jspecify.annotations.NullMarked;
