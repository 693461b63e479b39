// SPDX-License-Identifier: Apache-2.0
/**
 * What a call tells its host until it ends: updates, warnings and partial output. The package neither makes the call
 * nor follows its task, and does not know the outcome.
 */
@NullMarked
package io.longhaul.client.update;

import org.jspecify.annotations.NullMarked;
