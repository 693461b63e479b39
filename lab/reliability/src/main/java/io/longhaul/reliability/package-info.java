// SPDX-License-Identifier: Apache-2.0
/**
 * {@code Torture} kills, pauses and starves a {@code Cluster} of real servers, and {@code History} compares what
 * clients were told with what is stored. The judge knows what clients were told and what is stored, and not how a fault
 * was made.
 */
@NullMarked
package io.longhaul.reliability;

import org.jspecify.annotations.NullMarked;
