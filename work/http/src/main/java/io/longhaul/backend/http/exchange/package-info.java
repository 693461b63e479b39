// SPDX-License-Identifier: Apache-2.0
/**
 * One request to an API and its response: the shared connections, and bodies that are bounded or streamed. The package
 * knows neither jobs nor templates, and no secret beyond the headers that it is given.
 */
@NullMarked
package io.longhaul.backend.http.exchange;

import org.jspecify.annotations.NullMarked;
