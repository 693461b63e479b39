// SPDX-License-Identifier: Apache-2.0
/**
 * As which client an authorization server knows this one, and how a new client registers. The package requests no
 * token, and knows a store of secrets only by its names and texts.
 */
@NullMarked
package io.longhaul.authorization.registration;

import org.jspecify.annotations.NullMarked;
