// SPDX-License-Identifier: Apache-2.0
/**
 * The tools, resources and prompts that a gateway serves, each under one name. The package does not know when an
 * upstream is read, and leaves each call to the package of calls.
 */
@NullMarked
package io.longhaul.gateway.feature;

import org.jspecify.annotations.NullMarked;
