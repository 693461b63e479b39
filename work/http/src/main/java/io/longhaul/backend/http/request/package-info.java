// SPDX-License-Identifier: Apache-2.0
/**
 * What a request is made of: templates, the values that fill them, and the origins that get headers and secrets. The
 * package does not know what a request is for, nor what its response means.
 */
@NullMarked
package io.longhaul.backend.http.request;

import org.jspecify.annotations.NullMarked;
