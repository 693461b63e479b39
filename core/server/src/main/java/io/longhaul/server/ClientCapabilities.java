// SPDX-License-Identifier: Apache-2.0
package io.longhaul.server;

/**
 * The questions that a caller supports. Any other question ends in a {@link ClientException}.
 *
 * @param form          questions in a form
 * @param url           questions at an address
 * @param sampling      questions to the model of the client
 * @param samplingTools questions to the model of the client with tools
 * @param roots         the list of the client's folders
 */
public record ClientCapabilities(boolean form, boolean url, boolean sampling, boolean samplingTools, boolean roots) {}
