// SPDX-License-Identifier: Apache-2.0
/**
 * Proofs of possession: the key of a client, and the proofs that it signs for single requests (DPoP). The package knows
 * no token, and sends no request.
 */
@NullMarked
package io.longhaul.authorization.proof;

import org.jspecify.annotations.NullMarked;
