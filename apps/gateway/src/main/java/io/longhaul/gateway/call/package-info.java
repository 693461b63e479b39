// SPDX-License-Identifier: Apache-2.0
/**
 * Calls at an upstream: the long ones as a backend of tasks, and the quick ones that pass through, with their outcomes,
 * output and log lines. The package does not know under which names features are served.
 */
@NullMarked
package io.longhaul.gateway.call;

import org.jspecify.annotations.NullMarked;
