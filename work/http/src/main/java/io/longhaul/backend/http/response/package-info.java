// SPDX-License-Identifier: Apache-2.0
/**
 * What a response means: whether a job has begun, how it goes, and where its result is. The package sends nothing and
 * knows no clock.
 */
@NullMarked
package io.longhaul.backend.http.response;

import org.jspecify.annotations.NullMarked;
