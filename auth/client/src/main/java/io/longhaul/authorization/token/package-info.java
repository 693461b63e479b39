// SPDX-License-Identifier: Apache-2.0
/**
 * Requests for tokens, and the tokens as they are kept. The package does not know which grant leads to a token, nor
 * where tokens are kept.
 */
@NullMarked
package io.longhaul.authorization.token;

import org.jspecify.annotations.NullMarked;
