// SPDX-License-Identifier: Apache-2.0
/**
 * What servers say about their authorization: challenges, metadata and scopes. The package knows no client: it neither
 * registers one, nor requests a token.
 */
@NullMarked
package io.longhaul.authorization.discovery;

import org.jspecify.annotations.NullMarked;
