// SPDX-License-Identifier: Apache-2.0
/**
 * Resources and prompts as their authors have defined them, and as the receiver serves them. The package does not know
 * their builders, and knows no tool and no task.
 */
@NullMarked
package io.longhaul.server.internal.feature;

import org.jspecify.annotations.NullMarked;
