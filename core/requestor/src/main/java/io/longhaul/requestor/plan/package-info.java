// SPDX-License-Identifier: Apache-2.0
/**
 * What a generation means for a client, as values that the other rooms carry out. {@link
 * io.longhaul.requestor.plan.ClientPlanner} alone reads traits and wishes.
 */
@NullMarked
package io.longhaul.requestor.plan;

import org.jspecify.annotations.NullMarked;
