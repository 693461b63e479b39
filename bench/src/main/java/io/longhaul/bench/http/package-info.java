// SPDX-License-Identifier: Apache-2.0
/**
 * What is measured of servers that are reached over HTTP: the load and the servers are in processes of their own.
 */
@NullMarked
package io.longhaul.bench.http;

import org.jspecify.annotations.NullMarked;
