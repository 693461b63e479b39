// SPDX-License-Identifier: Apache-2.0
/**
 * What a server tells of changes of its lists and resources, and who listens. The package keeps no list and reads no
 * resource.
 */
@NullMarked
package io.longhaul.client.change;

import org.jspecify.annotations.NullMarked;
