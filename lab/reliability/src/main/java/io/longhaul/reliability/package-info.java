// SPDX-License-Identifier: Apache-2.0
/**
 * Kills, pauses and starves real servers and clients, and compares what clients were told with what is stored. The
 * judge knows what clients were told and what is stored, and not how a fault was made.
 */
@NullMarked
package io.longhaul.reliability;

import org.jspecify.annotations.NullMarked;
