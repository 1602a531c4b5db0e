/**
 * A page of ours as the server renders it now, for the parts that the client does not build.
 */

/**
 * Read as a document by the browser itself: no text becomes HTML here.
 * @param {string} address of our own origin @returns {Promise<Document | null>}
 */
export function renderedPage(address) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
    request.onerror = () => resolve(null);
    request.send();
  });
}
