// SPDX-License-Identifier: Apache-2.0
/** Kills, stops and starves real servers and clients, and holds what clients were told to what is stored. */
@NullMarked
package io.longhaul.reliability;

import org.jspecify.annotations.NullMarked;
