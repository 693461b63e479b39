// SPDX-License-Identifier: Apache-2.0
/**
 * Tools of an OpenAPI document: each operation becomes a tool with {@code http:}, as an author would write it. The
 * package writes fields of a file of tools, and knows neither tools nor requests.
 */
@NullMarked
package io.longhaul.file.openapi;

import org.jspecify.annotations.NullMarked;
