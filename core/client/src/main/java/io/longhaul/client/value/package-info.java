// SPDX-License-Identifier: Apache-2.0
/**
 * Values between a program and the protocol: Java values as JSON and back, the point where a call in parts goes on,
 * and whether a result fits its schema. The package knows no server, no call under way, and no type of the API.
 */
@NullMarked
package io.longhaul.client.value;

import org.jspecify.annotations.NullMarked;
