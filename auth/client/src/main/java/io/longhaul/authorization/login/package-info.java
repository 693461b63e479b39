// SPDX-License-Identifier: Apache-2.0
/**
 * The ways to a first token: one {@code Grant} for each. The package does not know when a token is needed, nor whether
 * it is kept.
 */
@NullMarked
package io.longhaul.authorization.login;

import org.jspecify.annotations.NullMarked;
