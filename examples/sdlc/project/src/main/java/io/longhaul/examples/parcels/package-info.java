// SPDX-License-Identifier: Apache-2.0
/**
 * What it costs to send a parcel.
 */
@NullMarked
package io.longhaul.examples.parcels;

import org.jspecify.annotations.NullMarked;
