// SPDX-License-Identifier: Apache-2.0
package io.longhaul.file.work;

import io.longhaul.file.rights.RightsEntry;
import java.net.URI;

/**
 * Where the tokens for the requests of a job come from.
 *
 * @param written the fields: jobs with the same fields and the same resource share their tokens
 * @param resource what the tokens are for, unless the fields say it
 */
public record JobTokens(RightsEntry rights, String written, URI resource) {}
